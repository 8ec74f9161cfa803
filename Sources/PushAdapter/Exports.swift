// An adapter needs all of the model.
@_exported public import PushCore

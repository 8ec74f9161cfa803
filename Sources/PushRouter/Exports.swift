// The names of routes and their targets stand in its interface.
@_exported public import PushRoutes

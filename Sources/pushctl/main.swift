import PushctlKit

await Pushctl.main()

@main struct Rehearse { static func main() {} }

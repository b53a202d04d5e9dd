/// The multivariant URL answers 307 to an instance (`/pmm-0/…`) that names the session (TRK-1).
enum RedirectedInit {
    static let scenario = BuiltinScenario(
        name: "redirected-init",
        summary: "The session URL redirects with 307 to /pmm-0/, as behind a load balancer.",
        shape: #"""
            stream: {segment: 2s, window: 60s}
            metadata: {window: 2m}
            session: {redirect: pmm-0}
            breaks:
              every: 60s
              first: 4s
              pods:
                - [lighthouse, espresso]
            ads:
              lighthouse:
                duration: 15.015s
                urls: {impression: 2}
              espresso: {duration: 5.005s}
            """#)
}

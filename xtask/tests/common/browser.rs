//! A real browser, asked through the DevTools protocol over two pipes: no driver and no socket.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// Programs that are Chromium, by the names of distributions.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// It needs no network, no processor of pictures and no rights of its own.
const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--allow-file-access-from-files",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// The browser; ends with this value.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    /// What it said without being asked.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts it; says so where there is none.
    #[allow(clippy::print_stderr, reason = "what is skipped is said")]
    pub(crate) fn start() -> Option<Browser> {
        let is_there =
            |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
        let Some(name) = NAMES.iter().find(is_there) else {
            eprintln!("skipped: no Chromium is installed, so no page was opened");
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder");
        // It reads commands from descriptor 3 and answers on 4.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", name]).args(FLAGS);
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let (to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Some(Browser {
            child,
            to,
            from: BufReader::new(from),
            next: 0,
            events: Vec::new(),
            _profile: profile,
        })
    }

    /// Sends a command and waits for its answer.
    fn ask(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut text = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = session {
            text["sessionId"] = session.into();
        }
        write!(self.to, "{text}\0").expect("it listens");
        loop {
            let message = self.hear();
            if message["id"] == self.next {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn hear(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).expect("it speaks");
        assert_eq!(bytes.pop(), Some(0), "the browser ended");
        serde_json::from_slice(&bytes).expect("it speaks JSON")
    }

    /// Opens a file in a window of this width, with what stands behind its `#`, and waits until all of it is there.
    pub(crate) fn open(&mut self, page: &Path, hash: &str, width: u32, dark: bool) -> Tab<'_> {
        let target =
            self.ask(None, "Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached =
            self.ask(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        let mut tab = Tab { browser: self, session, target };
        for domain in ["Page", "Runtime", "Log"] {
            tab.ask(&format!("{domain}.enable"), json!({}));
        }
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        tab.ask("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        tab.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
        tab.browser.events.clear();
        tab.ask("Page.navigate", json!({ "url": format!("file://{}{hash}", page.display()) }));
        while !tab.browser.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = tab.browser.hear();
            tab.browser.events.push(event);
        }
        tab
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let close = json!({ "id": 0, "method": "Browser.close" });
        let _ = write!(self.to, "{close}\0");
        let _ = self.child.wait();
    }
}

/// An open page; closed with this value.
pub(crate) struct Tab<'b> {
    browser: &'b mut Browser,
    session: String,
    target: Value,
}

impl Tab<'_> {
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let session = self.session.clone();
        self.browser.ask(Some(&session), method, params)
    }

    /// What a script comes to.
    pub(crate) fn evaluate(&mut self, script: &str) -> Value {
        let params =
            json!({ "expression": script, "returnByValue": true, "awaitPromise": true, "userGesture": true });
        let result = self.ask("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{script}: {result}");
        result["result"]["value"].clone()
    }

    /// Errors and warnings of the page so far: uncaught, on its console, or the browser's own of it.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        let is_bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => {
                event["params"]["type"] == "error" || event["params"]["type"] == "warning"
            }
            Some("Log.entryAdded") => event["params"]["entry"]["level"] != "info",
            _ => false,
        };
        self.browser.events.iter().filter(is_bad).map(ToString::to_string).collect()
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        let target = self.target.clone();
        self.browser.ask(None, "Target.closeTarget", json!({ "targetId": target }));
    }
}

/// The text of axe-core, which finds what those cannot use who do not see or have no mouse: from npm, where there is one; says so where
/// there is none.
#[allow(clippy::print_stderr, reason = "what is skipped is said")]
pub(crate) fn axe(dir: &Path) -> Option<String> {
    let text = super::from_npm(dir, "axe-core", "4.10.3")
        .and_then(|folder| std::fs::read_to_string(folder.join("axe.min.js")).ok());
    if text.is_none() {
        eprintln!("skipped: axe-core is not to be had from npm, so nobody looked for what cannot be used");
    }
    text
}

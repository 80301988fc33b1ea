// A sidecar as a real process, with its own framing, a handshake, and a log like zap's.

let input = Buffer.alloc(0);

process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (let message = next(); message; message = next()) {
    handle(message);
  }
});
process.stdin.on("end", () => process.exit(1));

function next() {
  const end = input.indexOf("\r\n\r\n");
  const length = Number(/Content-Length: (\d+)/i.exec(input.subarray(0, end).toString())?.[1]);
  if (end < 0 || input.length < end + 4 + length) {
    return undefined;
  }
  const body = input.subarray(end + 4, end + 4 + length);
  input = input.subarray(end + 4 + length);
  return JSON.parse(body.toString());
}

function handle({ id, method, params }) {
  if (method === "exit") {
    process.exit(0);
  }
  if (method === "initialize") {
    log("info", "shaking hands", { argument: process.argv[2] });
    const { protocolVersion } = params.initializationOptions;
    const serverInfo = { name: "process", version: "1", pid: process.pid };
    reply(id, { protocolVersion, serverInfo, capabilities: {} });
  } else if (id !== undefined) {
    // The text is returned in full, to fill the pipes.
    reply(id, { method, params });
  }
}

function reply(id, result) {
  const body = JSON.stringify({ jsonrpc: "2.0", id, result });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function log(level, msg, fields) {
  process.stderr.write(`${JSON.stringify({ level, ts: 1, msg, ...fields })}\n`);
}

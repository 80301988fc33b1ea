// Runs a command in its own network, which only contains the model: node confine.mjs SOCKET PORT COMMAND… It
// is started inside the new network (unshare --net), if the system allows one.

import { spawn, spawnSync } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [socket, port, command, ...args] = process.argv.slice(2);
spawnSync("ip", ["link", "set", "lo", "up"]);
createServer((from) => {
  const to = connect(socket);
  for (const [one, other] of [
    [from, to],
    [to, from],
  ]) {
    one.pipe(other);
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}).listen(Number(port), "127.0.0.1", () => {
  const child = spawn(command, args, { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    console.error(String(error));
    process.exit(127);
  });
  child.on("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
});

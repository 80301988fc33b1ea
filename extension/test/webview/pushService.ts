// A push service (RFC 8030) with one browser, which verifies signatures (RFC 8292) and decrypts (RFC 8291).

import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { PushMessage } from "../../src/protocol.gen";

export class PushService {
  /** The status of the responses. */
  status = 201;
  private readonly received: PushMessage[] = [];
  private readonly waiting: ((message: PushMessage) => void)[] = [];
  private readonly ecdh = createECDH("prime256v1");
  private readonly auth = randomBytes(16);
  private readonly server: Server;

  private constructor() {
    this.ecdh.generateKeys();
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
      try {
        this.check(request.headers.authorization ?? "");
        const message = this.decrypt(Buffer.concat(chunks));
        if (this.status < 300) {
          const take = this.waiting.shift();
          take ? take(message) : this.received.push(message);
        }
        response.writeHead(this.status).end();
      } catch (error) {
        response.writeHead(400).end(String(error));
      }
    });
  }

  static async start(): Promise<PushService> {
    const service = new PushService();
    service.server.listen(0, "127.0.0.1");
    await once(service.server, "listening");
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The page's data about its subscription. */
  get subscription() {
    return {
      endpoint: `${this.origin}/browser`,
      keys: { p256dh: this.ecdh.getPublicKey("base64url"), auth: this.auth.toString("base64url") },
    };
  }

  /** The number of messages that nobody has waited for. */
  get count(): number {
    return this.received.length;
  }

  /** The next message, decrypted. */
  next(): Promise<PushMessage> {
    const message = this.received.shift();
    return message ? Promise.resolve(message) : new Promise((resolve) => this.waiting.push(resolve));
  }

  end(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private check(authorization: string): void {
    const [, header, claims = "", signature = "", key = ""] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    const point = Buffer.from(key, "base64url");
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
    const signer = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
    const signed = Buffer.from(`${header}.${claims}`);
    const { aud } = JSON.parse(Buffer.from(claims, "base64url").toString());
    const how = { key: signer, dsaEncoding: "ieee-p1363" } as const;
    if (!verify("sha256", signed, how, Buffer.from(signature, "base64url")) || aud !== this.origin) {
      throw new Error("the signature is wrong");
    }
  }

  private decrypt(body: Buffer): PushMessage {
    const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
    const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, salt, info, length));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.ecdh.getPublicKey(), sender]);
    const secret = derive(this.ecdh.computeSecret(sender), this.auth, info, 32);
    const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const opened = createDecipheriv(
      "aes-128-gcm",
      key,
      derive(secret, salt, "Content-Encoding: nonce\0", 12),
    );
    opened.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

/** A random id. Not randomUUID, which sandboxes of some hosts and pages over HTTP lack. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}

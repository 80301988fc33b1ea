export const agentPackages: Record<string, string>;
export function packageFolder(name: string): string;

// The little of the editor's API that the tested modules use.

export class CancellationError extends Error {
  constructor() {
    super("Canceled");
    this.name = "Canceled";
  }
}

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly authority: string,
    readonly path: string,
  ) {}

  static from({
    scheme,
    authority = "",
    path = "",
  }: {
    scheme: string;
    authority?: string;
    path?: string;
  }): Uri {
    return new Uri(scheme, authority, path);
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}`;
  }
}

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelDataPart {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}

  static image(data: Uint8Array, mime: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mime);
  }
}

export class LanguageModelToolResult {
  constructor(readonly content: unknown[]) {}
}

export const l10n = {
  t: (message: string, ...args: (string | number)[]): string =>
    message.replace(/\{(\d+)\}/g, (placeholder, index: string) => String(args[Number(index)] ?? placeholder)),
};

/** What showErrorMessage was called with, and which button is pressed next. */
export const dialogs = { shown: [] as unknown[][], press: undefined as string | undefined };

export const window = {
  showErrorMessage: async (...args: unknown[]): Promise<string | undefined> => {
    dialogs.shown.push(args);
    return dialogs.press;
  },
};

/** The commands that were run. */
export const executed: unknown[][] = [];

export const commands = {
  executeCommand: async (...args: unknown[]): Promise<void> => {
    executed.push(args);
  },
};

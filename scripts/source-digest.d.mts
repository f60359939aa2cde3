export declare function listFiles(paths: readonly string[]): string[]
export declare function digestSeedSources(): string

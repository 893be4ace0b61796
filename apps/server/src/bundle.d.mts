export function bundleOf(name: 'server' | 'worker', root?: string): string | undefined
export function bundleServer(root?: string): Promise<void>

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const leftOut = new Set(['node_modules', '.git', '.data', 'dist'])

/**
 * Copies a checkout into a temporary folder. The copy has its own `node_modules` with links to the packages, so that
 * caches and builds are written there and not in the checkout.
 */
export function copyCheckout(root: string): string {
  const copy = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'pmb-copy-'))
  // PostgreSQL runs as another user and reads the copy.
  fs.chmodSync(copy, 0o755)
  fs.cpSync(root, copy, { recursive: true, filter: (source) => !leftOut.has(path.basename(source)) })
  const packages = path.join(root, 'node_modules')
  const ownPackages = path.join(copy, 'node_modules')
  fs.mkdirSync(ownPackages)
  for (const name of fs.readdirSync(packages))
    if (!name.startsWith('.') || name === '.bin')
      fs.symlinkSync(path.join(packages, name), path.join(ownPackages, name))
  // Tells `scripts/run.mjs` that the packages are installed.
  for (const name of ['.installed', '.package-lock.json'])
    if (fs.existsSync(path.join(packages, name)))
      fs.copyFileSync(path.join(packages, name), path.join(ownPackages, name))
  return copy
}

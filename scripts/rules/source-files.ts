import fs from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || /^(apps\/\w+\/test|packages\/testing)\//.test(file)

/** TypeScript files below these folders that are no tests. Throws if there are few, because then a rule checks nothing. */
export function sourceFilesIn(folders: readonly string[]): string[] {
  const files = folders
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !isTest(file) && !/(^|\/)(dist|node_modules)\//.test(file))
  if (files.length < 500) throw new Error(`Only ${files.length} files were read`)
  return files
}

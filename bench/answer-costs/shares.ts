import type { Profiler } from 'node:inspector'

/**
 * Parts of an answer by the place of a frame. The innermost frame that matches decides; frames of Node and of Zod match
 * nothing, so that they count for their caller.
 */
const parts: [name: string, pattern: RegExp][] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['system calls', /^\(program\)/],
  ['compressing', /fastify\/compress/],
  ['serialising', /^serialiseAnswer|answer-time/],
  ['validation', /^validate(?:Input|Body)|unreadable-text|body-check|fastify\/lib\/validation/],
  ['authentication', /platform\/access\/(?:authentication|authorization|session|shared-writes|tokens)/],
  ['hooks and headers', /platform\/http\/(?!serve)|files\/uploads|transaction-guard|rate-limit/],
  ['building statements', /node_modules\/kysely|prepared-statements|query-types|column-names|compiled-statement/],
  ['sending and reading statements', /node_modules\/pg|postgres-/],
  ['building', /(?:apps|packages)\/(?!.*platform\/http\/serve)/],
  ['fastify and HTTP', /node_modules\/(?!zod)/],
]

const notOurs = /^\((?:idle|root)\)|node:inspector/

/** Share of each part in the processor time of a profile, and the functions in which most of it is spent. */
export function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const frameOf = (id: number) => {
    const { functionName, url, lineNumber } = byId.get(id)!.callFrame
    return {
      place: `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=apps\/|packages\/|node_modules\/)/, '')}:${lineNumber + 1}`,
    }
  }
  const framesOf = (id: number) => {
    const frames = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) frames.push(frameOf(at))
    return frames
  }
  const partOfNode = new Map<number, string | null>()
  const partOf = (id: number) => {
    const known = partOfNode.get(id)
    if (known !== undefined) return known
    const [own, ...callers] = framesOf(id)
    const part = notOurs.test(own!.place) ? null : partOfStack([own!, ...callers].map(({ place }) => place))
    partOfNode.set(id, part)
    return part
  }
  const partUs = new Map<string, number>()
  const functionUs = new Map<string, number>()
  let totalUs = 0
  for (const [index, id] of samples.entries()) {
    const part = partOf(id)
    if (part === null) continue
    const us = Math.max(0, timeDeltas[index] ?? 0)
    totalUs += us
    partUs.set(part, (partUs.get(part) ?? 0) + us)
    const { place } = frameOf(id)
    functionUs.set(place, (functionUs.get(place) ?? 0) + us)
  }
  const shares = (times: Map<string, number>) =>
    [...times].map(([name, us]) => ({ name, share: us / totalUs })).toSorted((a, b) => b.share - a.share)
  return { parts: shares(partUs), functions: shares(functionUs) }
}

function partOfStack(places: readonly string[]): string {
  for (const place of places) for (const [name, pattern] of parts) if (pattern.test(place)) return name
  return 'fastify and HTTP'
}

import type { JsonSchema } from './sample.ts'
import type { TestApp } from './test-app.ts'

export type Operation = {
  summary?: string
  security?: unknown[]
  description?: string
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[]
  responses?: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}
export type Route = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  operation: Operation
  /** Permission the route requires; undefined if it is public or open to all signed-in users. */
  permission: string | undefined
  /** Other permissions that open the route. */
  alsoFor: string[]
  /** Whether roles limited to some study programmes get 403. */
  isShared: boolean
}

/** Answers as long as its reader listens, so no walk may open it. */
export const endlessPath = '/api/chat/stream'

const described = new WeakMap<TestApp['app'], Route[]>()

/** Every route from the application's own description, except the endless one. */
export function routesOf(app: TestApp['app']): Route[] {
  const routes = described.get(app) ?? describeRoutes(app)
  described.set(app, routes)
  return routes
}

function describeRoutes(app: TestApp['app']): Route[] {
  const { paths } = (app as unknown as { swagger(): { paths: Record<string, Record<string, Operation>> } }).swagger()
  const entries = Object.entries(paths).filter(([path]) => path !== endlessPath)
  return entries.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method as Route['method'],
      path,
      operation,
      permission: /Needs the permission `([^`]+)`/.exec(operation.description ?? '')?.[1],
      isShared: /Refuses roles limited to some study programmes/.test(operation.description ?? ''),
      alsoFor: [...(operation.description ?? '').matchAll(/`([^`]+)`/g)].map(([, slug]) => slug!).slice(1),
    })),
  )
}

export const bodySchemaOf = ({ operation }: Route) => operation.requestBody?.content['application/json']?.schema

/** Whether the route returns rows and their number. */
export function isList({ method, operation }: Route) {
  const answer = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
  const schema = answer?.content?.['application/json']?.schema
  return (
    method === 'get' &&
    schema?.properties?.data?.type === 'array' &&
    'total' in (schema.properties.meta?.properties ?? {})
  )
}

import type { z } from 'zod'
import type { Endpoint } from '#domain/endpoint.ts'

type Part = 'params' | 'query' | 'body' | 'response'

/**
 * Stands for a schema of an endpoint until a request needs it: most endpoints make theirs when they are read, and most
 * are not called in a day. A class, because Fastify takes plain objects for JSON schemas.
 */
export class LateSchema {
  readonly #endpoint: Endpoint
  readonly #part: Part

  constructor(endpoint: Endpoint, part: Part) {
    this.#endpoint = endpoint
    this.#part = part
  }

  read(): z.ZodType {
    return this.#endpoint[this.#part] as z.ZodType
  }
}

export type GivenSchema = z.ZodType | LateSchema

export const schemaOf = (schema: unknown): z.ZodType =>
  schema instanceof LateSchema ? schema.read() : (schema as z.ZodType)

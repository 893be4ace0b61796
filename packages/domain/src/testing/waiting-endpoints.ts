import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { waitingPlace } from './endpoints.ts'

const registration = z.object({ id: z.uuid() })

export const joinWaitingList = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/test-waiting',
  access: 'pendaftaran-edit',
  summary: 'Wait for a seat of a full session; a place on another waiting list is given up',
  params: registration,
  body: z.strictObject({ testSessionId: z.uuid() }),
  response: z.object({ data: waitingPlace }),
})

export const leaveWaitingList = endpoint({
  method: 'DELETE',
  path: '/pendaftaran/:id/test-waiting',
  access: 'pendaftaran-edit',
  summary: 'Leave the waiting list, or decline the offered seat; it is accepted by taking it',
  params: registration,
  response: z.object({ data: z.null() }),
})

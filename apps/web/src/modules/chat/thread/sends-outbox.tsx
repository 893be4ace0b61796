import { useOutbox } from './outbox.ts'

/** Sends what waits on this device while it is on a page. */
export default function SendsOutbox() {
  useOutbox()
  return null
}

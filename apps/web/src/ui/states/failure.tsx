import { Alert } from '@mantine/core'
import { bringIntoView } from '#web/ui/bring-into-view.ts'

/** Error of a write, shown beside its button. */
export const Failure = ({ children }: { children: string | null | undefined }) =>
  children ? <Alert color="red" variant="light" role="alert" ref={bringIntoView} children={children} /> : null

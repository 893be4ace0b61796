import { Alert } from '@mantine/core'

/** Error of a write, shown beside its button. */
export const Failure = ({ children }: { children: string | null | undefined }) =>
  children ? <Alert color="red" variant="light" role="alert" children={children} /> : null

import { Alert } from '@mantine/core'

/** Refusal or lost answer of a write, shown beside the button that sent it. */
export const Failure = ({ children }: { children: string | null | undefined }) =>
  children ? <Alert color="red" variant="light" role="alert" children={children} /> : null

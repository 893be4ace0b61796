import { Alert } from '@mantine/core'

/** Why nothing was done: what was refused, or that no answer came. Stands beside the button that was pressed. */
export const Failure = ({ children }: { children: string | null | undefined }) =>
  children ? <Alert color="red" variant="light" role="alert" children={children} /> : null

import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'

/** What the server refused and no field can show. */
export const FormFailure = ({ message, children }: { message: string | undefined; children?: ReactNode }) =>
  message ? (
    <Alert color="red" variant="light" role="alert">
      {message}
      {children}
    </Alert>
  ) : null

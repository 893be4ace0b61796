import type { ReactNode } from 'react'
import type { Answer, Endpoint } from '#domain/endpoint.ts'
import { type ParamsOf, useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import type { DialogEnds } from './row-action.ts'

type Props<E extends Endpoint> = Pick<DialogEnds, 'onClose'> &
  Partial<Pick<DialogEnds, 'onDone'>> & {
    /** Endpoint with a `reason` in its body. */
    call: E
    params?: ParamsOf<E>
    /** Body fields besides the reason. */
    body?: object
    title: string
    submit: string
    /** Makes the button red, for actions that take something away from a person. */
    danger?: boolean
    label: string
    description?: string
    /** Text of a short notification after success. */
    done: string | ((answer: Answer<E>) => string)
    /** Description of the action. */
    children?: ReactNode
  }

type Values = { reason: string }

/** Asks for the reason of an action, then performs it. */
export function ReasonDialog<const E extends Endpoint>(props: Props<E>) {
  const { call, params, body, title, submit, danger, label, description, done, children, onDone, onClose } = props
  const form = useForm<E, Values>({
    call,
    params,
    start: { reason: '' },
    body: ({ reason }: Values) => ({ ...body, reason: reason.trim() }),
    done,
    onDone: () => {
      onDone?.()
      onClose()
    },
    // The compiler cannot see that `E` has these fields.
  } as unknown as Parameters<typeof useForm<E, Values>>[0])
  return (
    <DialogForm
      form={form}
      title={title}
      submit={submit}
      {...(danger && { button: { color: 'red.9' } })}
      onClose={onClose}
    >
      {children}
      <ReasonInput label={label} description={description} data-autofocus {...form.text('reason')} />
    </DialogForm>
  )
}

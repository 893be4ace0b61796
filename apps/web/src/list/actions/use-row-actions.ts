import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '#web/shell/session/session.tsx'
import { permitted, type RowAction, reasonAgainst } from './row-action.ts'

/** Filters actions by permission, starts one and renders its dialog; calls `onDone` after a change. */
export function useRowActions<Row>(declarations: readonly RowAction<Row>[], onDone?: () => void) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [request, setRequest] = useState<{ key: string; rows: Row[] } | null>(null)
  // A second click may arrive before the button is drawn as busy.
  const isRunning = useRef(false)
  const [runningKey, setRunning] = useState<string | null>(null)
  const actions = permitted(declarations, may)
  const start = (action: RowAction<Row>, rows: Row[]) => {
    const [row] = rows
    if (row === undefined) return
    const reason = reasonAgainst(action, rows)
    if (reason) notifications.show({ color: 'yellow', message: reason })
    else if (action.href) navigate(action.href(row))
    else if (action.dialog) setRequest({ key: action.key, rows })
    else if (action.run) {
      if (isRunning.current) return
      isRunning.current = true
      setRunning(action.key)
      void action.run(row).finally(() => {
        isRunning.current = false
        setRunning(null)
      })
    }
  }
  // Uses the current declaration, since language and record may have changed after the dialog opened.
  const openAction = request && actions.find(({ key }) => key === request.key)
  return {
    actions,
    start,
    /** Key of the action in progress. */
    runningKey,
    dialog:
      request && openAction?.dialog?.(request.rows, { onDone: () => onDone?.(), onClose: () => setRequest(null) }),
  }
}

export type StartedActions<Row> = ReturnType<typeof useRowActions<Row>>

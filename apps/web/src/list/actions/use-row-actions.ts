import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '#web/shell/session.tsx'
import { permitted, type RowAction, reasonAgainst } from './row-action.ts'

/** Offers the actions this person has permission for, starts one and holds its dialog; `onDone` follows a change. */
export function useRowActions<Row>(declared: readonly RowAction<Row>[], onDone?: () => void) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ key: string; rows: Row[] } | null>(null)
  const [running, setRunning] = useState<string | null>(null)
  const actions = permitted(declared, may)
  const start = (action: RowAction<Row>, rows: Row[]) => {
    const [row] = rows
    if (row === undefined) return
    const reason = reasonAgainst(action, rows)
    if (reason) notifications.show({ color: 'yellow', message: reason })
    else if (action.href) navigate(action.href(row))
    else if (action.dialog) setAsked({ key: action.key, rows })
    else if (action.run) {
      setRunning(action.key)
      void action.run(row).finally(() => setRunning(null))
    }
  }
  // Of the declaration as it is now: language and record may have changed since the dialog was opened.
  const open = asked && actions.find(({ key }) => key === asked.key)
  return {
    actions,
    start,
    /** Key of the action that is under way. */
    running,
    dialog: asked && open?.dialog?.(asked.rows, { onDone: () => onDone?.(), onClose: () => setAsked(null) }),
  }
}

export type StartedActions<Row> = ReturnType<typeof useRowActions<Row>>

import { useEffect, useRef } from 'react'

/** Inserts text into the form's last focused field, as if typed. */
export function useInsert() {
  const lastField = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  useEffect(() => {
    const rememberField = ({ target }: FocusEvent) => {
      const isText =
        target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')
      if (isText && target.closest('form') && !target.readOnly && target.role !== 'combobox') lastField.current = target
    }
    document.addEventListener('focusin', rememberField)
    return () => document.removeEventListener('focusin', rememberField)
  }, [])
  return (text: string) => {
    const field = lastField.current?.isConnected
      ? lastField.current
      : document.querySelector<HTMLTextAreaElement>('form textarea:not([aria-hidden])')
    if (!field) return
    field.focus()
    // The only way to insert text that the browser's undo includes.
    document.execCommand('insertText', false, text)
  }
}

import { useEffect, useRef } from 'react'

/** Inserts text into the last focused field of the form, as typing would. */
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
    // The only way of inserting that the browser's undo includes.
    document.execCommand('insertText', false, text)
  }
}

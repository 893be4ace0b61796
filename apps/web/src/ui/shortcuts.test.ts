import { describe, expect, it } from 'vitest'
import { isNoShortcut, turnShortcutsOffWhile } from './shortcuts.ts'

const pageWith = (...presentSelectors: string[]) => ({
  querySelector: (selector: string) =>
    presentSelectors.some((present) => selector.split(',').includes(present)) ? {} : null,
})
const targetWithin = (...ancestors: string[]) =>
  ({
    closest: (selector: string) => (ancestors.some((present) => selector.split(',').includes(present)) ? {} : null),
  }) as unknown as EventTarget
const key = (target: EventTarget | null = targetWithin(), modifiers = {}) => ({
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  target,
  ...modifiers,
})
const empty = pageWith()

describe('a letter typed on a page with shortcuts', () => {
  it('acts if no other control takes it', () => {
    expect(isNoShortcut(key(), empty)).toBe(false)
  })

  it('does nothing once a dialog is requested, before its code is loaded', () => {
    let isRequested = false
    const forget = turnShortcutsOffWhile(() => isRequested)
    isRequested = true
    expect(isNoShortcut(key(), empty)).toBe(true)
    isRequested = false
    expect(isNoShortcut(key(), empty)).toBe(false)
    forget()
  })

  it.each(['[aria-modal="true"]', '[role="dialog"]', '[role="alertdialog"]', '[role="menu"]'])(
    'does nothing below an open %s, wherever the focus is',
    (surface) => expect(isNoShortcut(key(null), pageWith(surface))).toBe(true),
  )

  it('does nothing while a part of the page is loading', () => {
    expect(isNoShortcut(key(), pageWith('[aria-busy="true"]'))).toBe(true)
  })

  it.each(['input', 'textarea', 'select', '[contenteditable="true"]', '[role="combobox"]'])('is text in %s', (field) =>
    expect(isNoShortcut(key(targetWithin(field)), empty)).toBe(true),
  )

  it('is no shortcut with Ctrl, Alt or Command, nor while a character is composed', () => {
    for (const modifiers of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { isComposing: true }])
      expect(isNoShortcut(key(targetWithin(), modifiers), empty)).toBe(true)
  })
})

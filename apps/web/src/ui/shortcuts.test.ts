import { describe, expect, it } from 'vitest'
import { isNoShortcut, turnShortcutsOffWhile } from './shortcuts.ts'

const pageWith = (...found: string[]) => ({
  querySelector: (selector: string) => (found.some((one) => selector.split(',').includes(one)) ? {} : null),
})
const within = (...around: string[]) =>
  ({
    closest: (selector: string) => (around.some((one) => selector.split(',').includes(one)) ? {} : null),
  }) as unknown as EventTarget
const key = (target: EventTarget | null = within(), more = {}) => ({
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  target,
  ...more,
})
const empty = pageWith()

describe('a letter typed on a page with shortcuts', () => {
  it('acts where nothing else wants it', () => {
    expect(isNoShortcut(key(), empty)).toBe(false)
  })

  it('does nothing from the moment a dialog is asked for, before its code has come', () => {
    let opened = false
    const forget = turnShortcutsOffWhile(() => opened)
    opened = true
    expect(isNoShortcut(key(), empty)).toBe(true)
    opened = false
    expect(isNoShortcut(key(), empty)).toBe(false)
    forget()
  })

  it.each(['[aria-modal="true"]', '[role="dialog"]', '[role="alertdialog"]', '[role="menu"]'])(
    'does nothing below an open %s, wherever the focus is',
    (surface) => expect(isNoShortcut(key(null), pageWith(surface))).toBe(true),
  )

  it('does nothing while a part of the page loads', () => {
    expect(isNoShortcut(key(), pageWith('[aria-busy="true"]'))).toBe(true)
  })

  it.each(['input', 'textarea', 'select', '[contenteditable="true"]', '[role="combobox"]'])('is text in %s', (field) =>
    expect(isNoShortcut(key(within(field)), empty)).toBe(true),
  )

  it('is another shortcut with Ctrl, Alt or Command, and text while a character is composed', () => {
    for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { isComposing: true }])
      expect(isNoShortcut(key(within(), more), empty)).toBe(true)
  })
})

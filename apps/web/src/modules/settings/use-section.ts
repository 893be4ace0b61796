import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type GeneralSettings, readGeneralSettings, saveSection } from '#domain/settings/endpoints.ts'
import type { SettingsSection } from '#domain/settings/sections.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { keyOf } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { refreshBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session.tsx'

type Values = Partial<Settings>

/** Takes over what the server answered, on this page and in the frame around it. */
export function useTakeOver() {
  const queries = useQueryClient()
  return (data: GeneralSettings) => {
    queries.setQueryData(keyOf(readGeneralSettings, {}), { data })
    void refreshBranding()
  }
}

/** One section of the settings: what is typed, what is saved, and saving it. */
export function useSection(section: SettingsSection, keys: readonly (keyof Settings)[], data: GeneralSettings) {
  const { t } = useTranslation('settings')
  const queries = useQueryClient()
  const takeOver = useTakeOver()
  const editable = useSession().may('settings-general-update')
  const [typed, setTyped] = useState<Values>({})
  /** The version the answers were made from; another one now means that somebody else saved. */
  const [base, setBase] = useState<number | null>(null)

  const saved = Object.fromEntries(keys.map((key) => [key, data.values[key]])) as Values
  const same = (key: keyof Settings) => JSON.stringify(typed[key] ?? saved[key]) === JSON.stringify(saved[key])
  const dirty = keys.some((key) => !same(key))
  const version = data.versions[section] ?? 0
  const stale = dirty && base !== null && base !== version

  const form = useForm({
    call: saveSection[section],
    body: { ...saved, ...typed, version: base ?? version } as never,
    done: `${t(section)}: ${t('saved')}`,
    onDone: (answer, sent) => {
      forget(sent as Values)
      takeOver(answer.data)
    },
    onRefused: ({ code }) =>
      code === 'stale_version' && queries.invalidateQueries({ queryKey: keyOf(readGeneralSettings) }),
  })

  /** Drops what was typed; what was typed after `sent` was sent stays. */
  function forget(sent?: Values) {
    setTyped((now) =>
      sent
        ? Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== sent[key as keyof Settings]))
        : {},
    )
    form.reset({ ...saved, version })
    setBase(null)
  }

  return {
    section,
    values: { ...saved, ...typed } as Settings,
    saved: saved as Settings,
    form: { ...form, unsaid: form.refusal?.code === 'stale_version' ? null : form.unsaid },
    dirty,
    stale,
    editable,
    edited: data.edited[section] ?? null,
    forget: () => forget(),
    /** Goes on with what was typed, over what somebody else saved. */
    keepMine: () => setBase(version),
    set<K extends keyof Settings>(key: K, value: Settings[K]) {
      setTyped((before) => ({ ...before, [key]: value }))
      setBase((before) => before ?? version)
    },
  }
}

export type Section = ReturnType<typeof useSection>

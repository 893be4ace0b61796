import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type GeneralSettings, readGeneralSettings, saveSection } from '#domain/settings/endpoints.ts'
import type { SettingsSection } from '#domain/settings/sections.ts'
import type { Settings } from '#domain/settings/settings.ts'
import { keyOf } from '#web/api/query.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { refreshBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'

type Values = Partial<Settings>

/** Returns a function that applies the server's answer to this page and to the frame's branding. */
export function useTakeOver() {
  const queries = useQueryClient()
  return (data: GeneralSettings) => {
    queries.setQueryData(keyOf(readGeneralSettings, {}), { data })
    void refreshBranding()
  }
}

/** State of one section of the settings: typed values, saved values, and saving. */
export function useSection(section: SettingsSection, keys: readonly (keyof Settings)[], data: GeneralSettings) {
  const { t } = useTranslation('settings')
  const queries = useQueryClient()
  const takeOver = useTakeOver()
  const editable = useSession().may('settings-general-update')
  const [typedValues, setTyped] = useState<Values>({})
  /** Version the typed values are based on; if the current version differs, another user has saved meanwhile. */
  const [base, setBase] = useState<number | null>(null)

  const saved = Object.fromEntries(keys.map((key) => [key, data.values[key]])) as Values
  const isUnchanged = (key: keyof Settings) =>
    JSON.stringify(typedValues[key] ?? saved[key]) === JSON.stringify(saved[key])
  const dirty = keys.some((key) => !isUnchanged(key))
  const version = data.versions[section] ?? 0
  const stale = dirty && base !== null && base !== version

  const form = useForm({
    call: saveSection[section],
    body: { ...saved, ...typedValues, version: base ?? version },
    done: `${t(section)}: ${t('saved')}`,
    onDone: (answer, sentValues) => {
      forget(sentValues as Values)
      takeOver(answer.data)
    },
    onRefused: ({ code }) =>
      code === 'stale_version' && queries.invalidateQueries({ queryKey: keyOf(readGeneralSettings) }),
  })

  /** Drops the typed values; values changed after `sentValues` were sent stay. */
  function forget(sentValues?: Values) {
    setTyped((current) =>
      sentValues
        ? Object.fromEntries(
            Object.entries(current).filter(([key, value]) => value !== sentValues[key as keyof Settings]),
          )
        : {},
    )
    form.reset({ ...saved, version })
    setBase(null)
  }

  const values = { ...saved, ...typedValues } as Settings
  const set = (change: Values) => {
    setTyped((before) => ({ ...before, ...change }))
    setBase((before) => before ?? version)
  }

  return {
    section,
    saved: saved as Settings,
    form: {
      ...boundTo(form, { values, set }),
      formError: form.refusal?.code === 'stale_version' ? null : form.formError,
    },
    dirty,
    stale,
    editable,
    edited: data.edited[section] ?? null,
    forget: () => forget(),
    /** Keeps the typed values, to overwrite those another user saved. */
    keepMine: () => setBase(version),
  }
}

export type Section = ReturnType<typeof useSection>

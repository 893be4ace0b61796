import { Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RegionSelect } from './region-select.tsx'
import type { SectionFields } from './section-fields.ts'
import { TextAnswer } from './text-answer.tsx'

/** Province, city, district and village; a change clears the levels below it. */
export function AddressFields(section: SectionFields) {
  const { t } = useTranslation('applicants')
  const { answers, set, label, error } = section
  /** Postal code filled in by the chosen village; undefined if it has none. */
  const [filledCode, setFilledCode] = useState<string>()
  const isFilled = filledCode !== undefined && answers.postalCode === filledCode
  return (
    <>
      <RegionSelect
        level="provinces"
        label={label('provinceId')}
        value={answers.provinceId ?? null}
        onChange={(region) => set({ provinceId: region?.id ?? null, cityId: null, districtId: null, villageId: null })}
        error={error('provinceId')}
      />
      <RegionSelect
        level="cities"
        label={label('cityId')}
        parentId={answers.provinceId}
        parentLabel={t('field.provinceId')}
        value={answers.cityId ?? null}
        onChange={(region) => set({ cityId: region?.id ?? null, districtId: null, villageId: null })}
        error={error('cityId')}
      />
      <RegionSelect
        level="districts"
        label={label('districtId')}
        parentId={answers.cityId}
        parentLabel={t('field.cityId')}
        value={answers.districtId ?? null}
        onChange={(region) => set({ districtId: region?.id ?? null, villageId: null })}
        error={error('districtId')}
      />
      <RegionSelect
        level="villages"
        label={label('villageId')}
        parentId={answers.districtId}
        parentLabel={t('field.districtId')}
        value={answers.villageId ?? null}
        onChange={(region) => {
          const code = region?.postalCode ?? undefined
          setFilledCode(code)
          // The previous village's postal code does not apply to this one.
          set({ villageId: region?.id ?? null, ...((code || isFilled) && { postalCode: code ?? '' }) })
        }}
        error={error('villageId')}
      />
      <TextAnswer section={section} field="address" autoComplete="street-address" maxLength={200} />
      <Group gap="md" align="flex-start" wrap="wrap">
        <TextAnswer section={section} field="rt" inputMode="numeric" maxLength={3} w="9rem" />
        <TextAnswer section={section} field="rw" inputMode="numeric" maxLength={3} w="9rem" />
      </Group>
      <TextAnswer
        section={section}
        field="postalCode"
        help={t(isFilled ? 'help.postalCodeFilled' : 'help.postalCode')}
        inputMode="numeric"
        maxLength={5}
        styles={{ wrapper: { width: 140 } }}
        autoComplete="postal-code"
      />
    </>
  )
}

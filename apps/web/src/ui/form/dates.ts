import '@mantine/dates/styles.layer.css'

/** Inputs for days and times, with the style sheet that no other screen loads. */
export { DatePickerInput, DateTimePicker, TimePicker } from '@mantine/dates'

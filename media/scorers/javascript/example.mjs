/** What the templates beside this measure until they are given a file of yours. */
export function example(text) {
  return text.split(' ').reverse().join(' ');
}

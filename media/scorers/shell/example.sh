#!/bin/sh
# What the templates beside this measure until they are given a file of yours.
example() {
  echo "$1" | tr 'a-z' 'A-Z'
}

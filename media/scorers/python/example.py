"""What the templates beside this measure until they are given a file of yours."""


def example(text):
    return " ".join(reversed(text.split(" ")))

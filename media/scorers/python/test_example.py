from example import example


def test_turns_the_words_round():
    assert example("one two") == "two one"

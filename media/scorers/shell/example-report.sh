#!/bin/sh
# A test of example.sh that writes a report as test runners do.
. ./example.sh
if [ "$(example a)" = A ]; then failure=''; else failure='<failure message="a is not A"/>'; fi
echo "<testsuite><testcase name=\"capitals\">$failure</testcase></testsuite>" >ratchet-tests.xml

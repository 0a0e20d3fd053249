package dev.ratelimit.test.fault;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReplyCounterTests {

	@ParameterizedTest
	@CsvSource({ "'', 0", "+OK|, 1", ":1|:2|, 2", "-ERR no|, 1", "+O, 0", "$4|a|b, 0", "$4|a|b|, 1", "$-1|, 1",
			"$0||, 1", "*2|:1|, 0", "*2|:1|:2|, 1", "*0|, 1", "*-1|, 1", "*2|*1|:1|$1|x|:9|, 2",
			"%1|+a|*2|:1|:2|+next|, 2", "~1|:1|_|, 2", ">2|+push|:1|:7|, 1", "*1|%0|#t|, 2" })
	void completeRepliesAreCountedHoweverTheyAreCut(String stream, int expected) {
		String bytes = stream.replace("|", "\r\n");
		for (int piece = 1; piece <= bytes.length() + 1; piece++) {
			ReplyCounter counter = new ReplyCounter();
			for (int from = 0; from < bytes.length(); from += piece) {
				String part = bytes.substring(from, Math.min(bytes.length(), from + piece));
				counter.count(part.getBytes(StandardCharsets.ISO_8859_1));
			}
			assertThat(counter.complete()).as("in pieces of %d", piece).isEqualTo(expected);
		}
	}

}

package dev.ratelimit.benchmarks.openloop;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseReaderTests {

	private final ResponseReader reader = new ResponseReader();

	@Test
	void isIncompleteUntilTheBodyIsThere() {
		assertThat(read("HTTP/1.1 200 \r\nContent-Length: 4\r\n").isComplete()).isFalse();
		assertThat(read("\r\ndon").isComplete()).isFalse();
		assertThat(read("e")).isEqualTo(new ResponseReader.Status(200, true));
	}

	@Test
	void readsChunks() {
		assertThat(read("HTTP/1.1 503 \r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbusy\r\n").isComplete()).isFalse();
		ResponseReader.Status status = read("0\r\n\r\n");
		assertThat(status.code()).isEqualTo(503);
		assertThat(status.isGood()).isFalse();
	}

	@Test
	void seesThatTheConnectionWillBeClosed() {
		assertThat(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").keptAlive()).isFalse();
	}

	private ResponseReader.Status read(String text) {
		this.reader.target().put(text.getBytes(StandardCharsets.US_ASCII));
		return this.reader.status();
	}

}

package dev.ratelimit.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectNamesTests {

	private static final SubjectNames NAMES = SubjectNames.hashed("secret".getBytes(StandardCharsets.UTF_8));

	@ParameterizedTest
	@CsvSource({ "user:alice, user:~#[0-9a-f]{16}", "alice, ~#[0-9a-f]{16}", "global, global", "user:~none, user:~none",
			"user:alice|ip:192.0.2.1, user:~#[0-9a-f]{16}\\|ip:~#[0-9a-f]{16}",
			"header:X-Api-Key:abc, header:~#[0-9a-f]{16}", "ip:2001:db8::/64, ip:~#[0-9a-f]{16}" })
	void tellNothingButTheKind(String subject, String shown) {
		assertThat(NAMES.of(subject)).matches(shown);
	}

	@Test
	void areTheSameForTheSameKeyAlone() {
		SubjectNames same = SubjectNames.hashed("secret".getBytes(StandardCharsets.UTF_8));
		SubjectNames other = SubjectNames.hashed("other".getBytes(StandardCharsets.UTF_8));
		assertThat(NAMES.of("user:alice")).isEqualTo(same.of("user:alice"))
			.isNotEqualTo(NAMES.of("user:bob"))
			.isNotEqualTo(other.of("user:alice"));
		assertThat(NAMES.of("user:1").substring(5)).as("kinds are not comparable")
			.isNotEqualTo(NAMES.of("claim:1").substring(6));
	}

	@Test
	void instancesAgreeOnTheKeyThatWasThereFirst() {
		AtomicReference<byte[]> present = new AtomicReference<>();
		SharedKey shared = (proposed) -> CompletableFuture
			.completedFuture((present.compareAndSet(null, proposed)) ? proposed : present.get());
		SubjectNaming first = SubjectNaming.random(shared);
		SubjectNaming second = SubjectNaming.random(shared);
		String before = first.current().of("user:alice");
		assertThat(second.current().of("user:alice")).isNotEqualTo(before);
		assertThat(first.agreed().join().of("user:alice")).isEqualTo(before);
		assertThat(second.agreed().join().of("user:alice")).isEqualTo(before);
		assertThat(second.current().of("user:alice")).isEqualTo(before);
		present.set(null);
		assertThat(second.agreed().join().of("user:alice")).as("the key is put back").isEqualTo(before);
	}

}

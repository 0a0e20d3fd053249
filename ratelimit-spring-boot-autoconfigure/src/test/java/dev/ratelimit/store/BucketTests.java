package dev.ratelimit.store;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BucketTests {

	@Test
	void subjectsThatCollideAsTextsHaveBucketsThatDoNot() {
		BucketFamily family = Demands.perMinute("search", 10);
		assertThat(IntStream.range(0, 1 << 12).map((bits) -> new Bucket(family, subject(bits)).hashCode()).distinct())
			.hasSizeGreaterThan((1 << 12) - 20);
	}

	@Test
	void theSameSubjectHasTheSameBucket() {
		Bucket bucket = new Bucket(Demands.perMinute("search", 10), "user:alice");
		assertThat(bucket).isEqualTo(new Bucket(Demands.perMinute("search", 10), "user:alice"))
			.hasSameHashCodeAs(new Bucket(Demands.perMinute("search", 10), "user:alice"))
			.isNotEqualTo(new Bucket(Demands.perMinute("other", 10), "user:alice"));
	}

	// All subjects have the same String.hashCode().
	private static String subject(int bits) {
		StringBuilder text = new StringBuilder("header:");
		for (int i = 0; i < 12; i++) {
			text.append(((bits >> i & 1) == 0) ? "Aa" : "BB");
		}
		return text.toString();
	}

}

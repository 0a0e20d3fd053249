package dev.ratelimit.autoconfigure;

import java.util.stream.Stream;

import dev.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

class AnnotationFailureTests {

	@Test
	void annotationThatNamesNoRuleIsRejectedOnServlet() {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.servlet()
			.withUserConfiguration(NamesNothing.class)
			.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS));
		assertThat(analysis.getDescription()).contains("@RateLimited on NamesNothing.get()", "Value: nope",
				"no rule has this id");
		assertThat(analysis.getAction()).contains("Define ratelimit.rules.nope", "use one of [all]");
	}

	@Test
	void annotationThatNamesNoRuleIsRejectedOnWebFlux() {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.reactive()
			.withUserConfiguration(NamesNothing.class)
			.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS));
		assertThat(analysis.getDescription()).contains("@RateLimited on NamesNothing.get()", "Value: nope");
	}

	@Test
	void annotationWithAMalformedLimitIsRejected() {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.servlet().withUserConfiguration(Malformed.class));
		assertThat(analysis.getDescription()).contains("@RateLimited on Malformed.get()", "Value: 100/minn",
				"'minn' is not a period");
		assertThat(analysis.getAction()).isEqualTo("Correct the limit.");
	}

	@Test
	void annotationThatWritesAndNamesARuleIsRejected() {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.servlet().withUserConfiguration(Both.class));
		assertThat(analysis.getDescription()).contains("@RateLimited on Both.get()", "Value: all",
				"'rule' cannot be combined with other attributes");
		assertThat(analysis.getAction()).isEqualTo("Remove 'rule', or remove the other attributes.");
	}

	@Test
	void annotationsOfOneIdWithDifferentNumbersAreRejected() {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.servlet().withUserConfiguration(Clash.class));
		assertThat(analysis.getDescription()).contains("@RateLimited on Clash.", "Value: same",
				"another rule has this id");
		assertThat(analysis.getAction()).contains("Set a different 'id' on one of them.");
	}

	@Test
	void annotationOfAHandlerWithAnArgumentAsKeyIsRejectedOnBothStacks() {
		Stream
			.of(StartFailure.of(EnableAuto.servlet().withUserConfiguration(Argument.class)),
					StartFailure.of(EnableAuto.reactive().withUserConfiguration(Argument.class)))
			.forEach((analysis) -> {
				assertThat(analysis.getDescription()).contains("@RateLimited on Argument.get()", "Value: arg:id",
						"requests have no arguments, only calls of bean methods have");
				assertThat(analysis.getAction()).isEqualTo("Use another key, such as 'param:' or 'path:'.");
			});
	}

	@Test
	void annotationOfAControllerWithoutHandlersIsRejected() {
		FailureAnalysis analysis = StartFailure.of(EnableAuto.servlet().withUserConfiguration(Messages.class));
		assertThat(analysis.getDescription()).contains("@RateLimited on Messages",
				"no method of the controller handles HTTP requests");
		assertThat(analysis.getAction()).isEqualTo("Annotate its methods instead.");
	}

	@Controller
	@RateLimited("100/min")
	static class Messages {

		@MessageMapping("/messages")
		String message() {
			return "";
		}

	}

	@RestController
	static class NamesNothing {

		@GetMapping("/")
		@RateLimited(rule = "nope")
		String get() {
			return "";
		}

	}

	@RestController
	static class Malformed {

		@GetMapping("/")
		@RateLimited("100/minn")
		String get() {
			return "";
		}

	}

	@RestController
	static class Both {

		@GetMapping("/")
		@RateLimited(rule = "all", value = "1/s")
		String get() {
			return "";
		}

	}

	@RestController
	static class Argument {

		@GetMapping("/{id}")
		@RateLimited(value = "1/s", key = "arg:id")
		String get(@PathVariable String id) {
			return id;
		}

	}

	@RestController
	static class Clash {

		@GetMapping("/first")
		@RateLimited(id = "same", value = "1/s")
		String first() {
			return "";
		}

		@GetMapping("/second")
		@RateLimited(id = "same", value = "2/s")
		String second() {
			return "";
		}

	}

}

package dev.ratelimit.kotlin

import dev.ratelimit.RateLimitExceededException
import dev.ratelimit.kotlin.guide.ExportService
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import org.springframework.boot.test.web.server.LocalServerPort
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers

/**
 * Tests of the code of docs/how-to/kotlin.md.
 */
@SpringBootTest(
	classes = [GuideTests.Application::class],
	webEnvironment = WebEnvironment.RANDOM_PORT,
	properties = ["ratelimit.rules.mail.programmatic=true", "ratelimit.rules.mail.limit=2/h"],
)
class GuideTests {

	@LocalServerPort
	private var port = 0

	@Autowired
	private lateinit var exports: ExportService

	private val client = HttpClient.newHttpClient()

	private fun status(path: String): Int {
		val request = HttpRequest.newBuilder(URI.create("http://localhost:$port$path")).build()
		return client.send(request, BodyHandlers.ofString()).statusCode()
	}

	// On a busy machine, the limits refill between the requests.
	private fun allowed(path: String): Int {
		return generateSequence { status(path) }.take(100).takeWhile { it == 200 }.count()
	}

	@Test
	fun handlersAreLimited() {
		assertThat(allowed("/api/search")).isBetween(10, 99)
		assertThat(allowed("/api/feed")).isBetween(5, 99)
		assertThat((1..3).map { status("/api/export") }).containsExactly(200, 200, 429)
	}

	@Test
	fun callsAreLimited(): Unit = runBlocking {
		repeat(2) { assertThat(exports.export("other")).isEqualTo("exported other") }
		assertThatExceptionOfType(RateLimitExceededException::class.java).isThrownBy {
			runBlocking { exports.export("other") }
		}
		assertThat((1..3).map { exports.mail("acme") }).containsExactly(true, true, false)
	}

	@SpringBootApplication(scanBasePackages = ["dev.ratelimit.kotlin.guide"])
	class Application

}

package dev.ratelimit.kotlin

import dev.ratelimit.RateLimitExceededException
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import org.springframework.boot.test.web.server.LocalServerPort
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers

/**
 * Tests of annotations on suspending functions, with the same results on both stacks.
 */
@SpringBootTest(classes = [KotlinApplication::class], webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class KotlinContract {

	@LocalServerPort
	private var port = 0

	@Autowired
	private lateinit var quotes: Quotes

	private val client = HttpClient.newHttpClient()

	private fun get(path: String): HttpResponse<String> {
		val request = HttpRequest.newBuilder(URI.create("http://localhost:$port$path")).build()
		return client.send(request, BodyHandlers.ofString())
	}

	private fun rejected(call: suspend () -> Unit) {
		assertThatExceptionOfType(RateLimitExceededException::class.java).isThrownBy { runBlocking { call() } }
	}

	@Test
	fun suspendingHandlersAreLimited() {
		assertThat(get("/suspend/1").body()).isEqualTo("suspending 1")
		assertThat(get("/suspend/2").headers().firstValue("X-RateLimit-Remaining")).hasValue("0")
		assertThat(get("/suspend/3").statusCode()).isEqualTo(429)
		repeat(3) { assertThat(get("/suspend/exempt").body()).isEqualTo("exempt") }
	}

	@Test
	fun handlersThatReturnFlowsAreLimited() {
		assertThat(listOf(1, 2, 3).map { get("/flow").statusCode() }).containsExactly(200, 200, 429)
	}

	@Test
	fun aRejectedCallBelowASuspendingHandlerRejectsTheRequest() {
		assertThat(listOf(1, 2, 3).map { get("/quote").statusCode() }).containsExactly(200, 200, 503)
		assertThat(get("/quote").headers().firstValue("Retry-After")).isPresent()
		assertThat(get("/quote").body()).contains("\"violated-policies\":[\"quotes-value\"]")
	}

	@Test
	fun suspendingFunctionsOfBeansAreLimited(): Unit = runBlocking {
		assertThat(quotes.nothing()).isNull()
		assertThat(quotes.nothing()).isNull()
		rejected { quotes.nothing() }
	}

	@Test
	fun eachCollectionOfAFlowIsADecision(): Unit = runBlocking {
		val flow = quotes.several()
		assertThat(flow.toList()).containsExactly("one", "two")
		assertThat(flow.toList()).containsExactly("one", "two")
		rejected { flow.toList() }
	}

	@Test
	fun theSlotOfASuspendingFunctionIsFreedAtItsEnd(): Unit = runBlocking {
		repeat(3) { assertThat(quotes.held()).isEqualTo("held") }
	}

}

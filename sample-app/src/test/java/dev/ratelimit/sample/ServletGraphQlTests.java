package dev.ratelimit.sample;

class ServletGraphQlTests extends GraphQlContract {

}

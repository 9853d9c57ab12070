S Last summer I go to Lisbon with my family .
A 3 4|||Tense|||went|||REQUIRED|||-NONE-|||0
A 3 4|||Tense|||went|||REQUIRED|||-NONE-|||1

S We stayed there since two weeks .
A 3 4|||Preposition|||for|||REQUIRED|||-NONE-|||0
A 3 4|||Preposition|||for|||REQUIRED|||-NONE-|||1

S The weather was very hot and we have swum every days .
A 7 9|||Tense|||swam|||REQUIRED|||-NONE-|||0
A 10 11|||Number|||day|||REQUIRED|||-NONE-|||0
A 7 9|||Tense|||swam|||REQUIRED|||-NONE-|||1
A 9 11|||Number|||every day|||REQUIRED|||-NONE-|||1

S My brother did not liked the food in hotel .
A 4 5|||Verb form|||like|||REQUIRED|||-NONE-|||0
A 8 8|||Article|||the|||REQUIRED|||-NONE-|||0
A 4 5|||Verb form|||like|||REQUIRED|||-NONE-|||1
A 7 9|||Preposition|||at the hotel|||REQUIRED|||-NONE-|||1

S He said that it was too much salty .
A 6 7|||Word choice||||||REQUIRED|||-NONE-|||0
A 5 7|||Word choice|||too|||REQUIRED|||-NONE-|||1

S In the end we found a small restaurant near of the river .
A 8 10|||Preposition|||near|||REQUIRED|||-NONE-|||0
A 8 10|||Preposition|||near|||REQUIRED|||-NONE-|||1

S The owner was a old man which told us many storys .
A 3 4|||Article|||an|||REQUIRED|||-NONE-|||0
A 6 7|||Pronoun|||who|||REQUIRED|||-NONE-|||0
A 10 11|||Spelling|||stories|||REQUIRED|||-NONE-|||0
A 3 4|||Article|||an|||REQUIRED|||-NONE-|||1
A 6 7|||Pronoun|||who||that|||REQUIRED|||-NONE-|||1
A 10 11|||Spelling|||stories|||REQUIRED|||-NONE-|||1

S I hope we can come back next year .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Nowadays everybody have a mobile phone .
A 2 3|||Agreement|||has|||REQUIRED|||-NONE-|||0
A 2 3|||Agreement|||has|||REQUIRED|||-NONE-|||1

S It is difficult to imagine the life without it .
A 5 6|||Article||||||REQUIRED|||-NONE-|||0
A 5 7|||Article|||life|||REQUIRED|||-NONE-|||1

S People uses it for call , write messages and take photos .
A 1 2|||Agreement|||use|||REQUIRED|||-NONE-|||0
A 3 5|||Verb form|||to call|||REQUIRED|||-NONE-|||0
A 1 2|||Agreement|||use|||REQUIRED|||-NONE-|||1
A 3 5|||Verb form|||to call|||REQUIRED|||-NONE-|||1
A 6 7|||Verb form|||to write|||REQUIRED|||-NONE-|||1
A 9 10|||Verb form|||to take|||REQUIRED|||-NONE-|||1

S However , there is some disadvantages .
A 3 4|||Agreement|||are|||REQUIRED|||-NONE-|||0
A 3 4|||Agreement|||are|||REQUIRED|||-NONE-|||1

S Firstly , many childrens spend too much hours in front of a screen .
A 3 4|||Number|||children|||REQUIRED|||-NONE-|||0
A 6 7|||Word choice|||many|||REQUIRED|||-NONE-|||0
A 3 4|||Number|||children|||REQUIRED|||-NONE-|||1
A 6 7|||Word choice|||many|||REQUIRED|||-NONE-|||1

S This can to damage their eyes and their sleep .
A 2 3|||Verb form||||||REQUIRED|||-NONE-|||0
A 1 3|||Verb form|||can|||REQUIRED|||-NONE-|||1

S Secondly , it is easy to loose the contact with real friends .
A 6 7|||Spelling|||lose|||REQUIRED|||-NONE-|||0
A 7 8|||Article||||||REQUIRED|||-NONE-|||0
A 6 9|||Word choice|||lose contact|||REQUIRED|||-NONE-|||1

S In my opinion , schools should teach how to use it well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 7 7|||Word choice|||students|||OPTIONAL|||-NONE-|||1

S I am studying in this school since three years .
A 1 3|||Tense|||have been studying|||REQUIRED|||-NONE-|||0
A 6 7|||Preposition|||for|||REQUIRED|||-NONE-|||0
A 1 4|||Tense|||have studied at|||REQUIRED|||-NONE-|||1
A 6 7|||Preposition|||for|||REQUIRED|||-NONE-|||1

S My favourite subject is the history .
A 4 5|||Article||||||REQUIRED|||-NONE-|||0
A 4 6|||Article|||history|||REQUIRED|||-NONE-|||1

S Our teacher explain everything very clear .
A 2 3|||Agreement|||explains|||REQUIRED|||-NONE-|||0
A 5 6|||Word form|||clearly|||REQUIRED|||-NONE-|||0
A 2 3|||Agreement|||explains|||REQUIRED|||-NONE-|||1
A 5 6|||Word form|||clearly|||REQUIRED|||-NONE-|||1

S She always give us interesting informations about the past .
A 2 3|||Agreement|||gives|||REQUIRED|||-NONE-|||0
A 5 6|||Number|||information|||REQUIRED|||-NONE-|||0
A 2 3|||Agreement|||gives|||REQUIRED|||-NONE-|||1
A 5 6|||Number|||information||facts|||REQUIRED|||-NONE-|||1

S Yesterday we have visited a museum .
A 2 4|||Tense|||visited|||REQUIRED|||-NONE-|||0
A 2 3|||Tense||||||REQUIRED|||-NONE-|||1

S There was many old coins and a painting who I liked a lot .
A 1 2|||Agreement|||were|||REQUIRED|||-NONE-|||0
A 8 9|||Pronoun|||which||that|||REQUIRED|||-NONE-|||0
A 1 2|||Agreement|||were|||REQUIRED|||-NONE-|||1
A 8 9|||Pronoun|||that|||REQUIRED|||-NONE-|||1

S The guide speaked too fast for us .
A 2 3|||Verb form|||spoke|||REQUIRED|||-NONE-|||0
A 2 3|||Verb form|||spoke|||REQUIRED|||-NONE-|||1

S I want to become an archaeologist .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The climate is changing more faster than we had expected .
A 4 5|||Word choice||||||REQUIRED|||-NONE-|||0
A 4 6|||Word choice|||faster|||REQUIRED|||-NONE-|||1

S Despite of the warnings , the governments react slowly .
A 0 2|||Preposition|||Despite|||REQUIRED|||-NONE-|||0
A 0 2|||Preposition|||In spite of|||REQUIRED|||-NONE-|||1
A 5 7|||Article|||governments|||REQUIRED|||-NONE-|||1

S One of the main reason is the traffic in the cities .
A 4 5|||Number|||reasons|||REQUIRED|||-NONE-|||0
A 4 5|||Number|||reasons|||REQUIRED|||-NONE-|||1
A 6 8|||Article|||traffic|||OPTIONAL|||-NONE-|||1
A 9 11|||Article|||cities|||OPTIONAL|||-NONE-|||1

S If there would be better trains , less people would drive .
A 2 4|||Tense|||were|||REQUIRED|||-NONE-|||0
A 7 8|||Word choice|||fewer|||REQUIRED|||-NONE-|||0
A 2 4|||Tense|||were|||REQUIRED|||-NONE-|||1
A 7 8|||Word choice|||fewer|||REQUIRED|||-NONE-|||1

S Moreover , a lot of energy is wasted in buildings .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S We should insulate them and to use the sun instead oil .
A 5 6|||Verb form||||||REQUIRED|||-NONE-|||0
A 9 10|||Preposition|||instead of|||REQUIRED|||-NONE-|||0
A 5 7|||Verb form|||use|||REQUIRED|||-NONE-|||1
A 9 10|||Preposition|||instead of|||REQUIRED|||-NONE-|||1

S It depends of each of us .
A 2 3|||Preposition|||on|||REQUIRED|||-NONE-|||0
A 1 3|||Preposition|||depends on|||REQUIRED|||-NONE-|||1

S Small steps can make a big different .
A 6 7|||Word form|||difference|||REQUIRED|||-NONE-|||0
A 6 7|||Word form|||difference|||REQUIRED|||-NONE-|||1

S I am writing to apply to the position of waiter .
A 4 6|||Preposition|||apply for|||REQUIRED|||-NONE-|||0
A 5 6|||Preposition|||for|||REQUIRED|||-NONE-|||1
A 9 9|||Article|||a|||REQUIRED|||-NONE-|||1

S I have worked in a cafe during two years and I speak english good .
A 6 7|||Preposition|||for|||REQUIRED|||-NONE-|||0
A 12 13|||Spelling|||English|||REQUIRED|||-NONE-|||0
A 13 14|||Word form|||well|||REQUIRED|||-NONE-|||0
A 6 7|||Preposition|||for|||REQUIRED|||-NONE-|||1
A 12 13|||Spelling|||English|||REQUIRED|||-NONE-|||1
A 13 14|||Word form|||well|||REQUIRED|||-NONE-|||1

S My previous boss was satisfied by my work .
A 5 6|||Preposition|||with|||REQUIRED|||-NONE-|||0
A 5 6|||Preposition|||with|||REQUIRED|||-NONE-|||1

S I am used to work in the evenings and the weekends .
A 4 5|||Verb form|||working|||REQUIRED|||-NONE-|||0
A 8 9|||Preposition|||and at|||REQUIRED|||-NONE-|||0
A 4 5|||Verb form|||working|||REQUIRED|||-NONE-|||1

S Also I learn quick and like to meet new people .
A 0 1|||Punctuation|||Also ,|||REQUIRED|||-NONE-|||0
A 3 4|||Word form|||quickly|||REQUIRED|||-NONE-|||0
A 3 4|||Word form|||quickly|||REQUIRED|||-NONE-|||1

S You can call me any time on the number below .
A 6 7|||Preposition|||at|||REQUIRED|||-NONE-|||0

S I look forward to hear from you .
A 4 5|||Verb form|||hearing|||REQUIRED|||-NONE-|||0
A 4 5|||Verb form|||hearing|||REQUIRED|||-NONE-|||1

S Yours sincerely , Marta
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1


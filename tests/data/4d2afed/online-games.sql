-- Games that a server wrote before a move could be more than a cell, and the state of each.
-- GGGGGGGGGGGGGGGGGGG00A tic-tac-toe | OX./X../X.O o | O
-- GGGGGGGGGGGGGGGGGGG01A misere-tic-tac-toe | OXO/.XO/... x | X
-- GGGGGGGGGGGGGGGGGGG02A 4x4 | .X.O/...O/..XX/.... o | O
-- GGGGGGGGGGGGGGGGGGG03A 4x4x3 | ..../XX.O/O..O/.... x | X
-- GGGGGGGGGGGGGGGGGGG04A 5x5x4 | ...../.OX.X/..OX./...../..... o | O
-- GGGGGGGGGGGGGGGGGGG05A 6x6x5 | ....../....../..X.../.O..../...O../..OX.. x | X
-- GGGGGGGGGGGGGGGGGGG06A gomoku | .............../.....O........./.............../.............../.............../.............../.............../..O............/X.....X......../.............../.............../.............../.............../.............../.....X......... o | O
-- GGGGGGGGGGGGGGGGGGG07A gomoku-standard | .............../.............../.............../.............../.............../.............../..O............/........X....../.............../.........O...O./.............../.............../.............../..........X..../............... x | X
-- GGGGGGGGGGGGGGGGGGG08A connect-four | ......./......./......./......./.....X./O.X.XO. o | O
-- GGGGGGGGGGGGGGGGGGG09A connect-four-5x4 | ...../...O./O..X./O..X. x | X
-- GGGGGGGGGGGGGGGGGGG10A misere-connect-four | ......./......./......./......./......./O.XXX.O o | O
-- GGGGGGGGGGGGGGGGGGG11A ultimate | ..O....../.......X./........./........./........./.....O.../.....O.../........./.......X. x C1 | X
-- GGGGGGGGGGGGGGGGGGG40A tic-tac-toe | OXX/OXX/O.O x | -
-- l8qc2Sou23cEqO_8XYExjg tic-tac-toe | .XO/.../... x | X
-- GGGGGGGGGGGGGGGGGGG42A ultimate | ........./........./........./........./........./........./........./........./......... x - | -
-- GGGGGGGGGGGGGGGGGGG43A connect-four | ......./......./......./......./...O.../...X... x | X
-- GGGGGGGGGGGGGGGGGGG44A misere-tic-tac-toe | .X./.../X.O o | -
PRAGMA application_id = 1414812783;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE beats (id INTEGER NOT NULL PRIMARY KEY, time INTEGER NOT NULL) STRICT;
CREATE TABLE events (game TEXT NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT NOT NULL, cell INTEGER, message_id TEXT, time INTEGER NOT NULL, data TEXT, PRIMARY KEY (game, version)) WITHOUT ROWID, STRICT;
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG00A',1,'create','',NULL,':a-1',1790000000000,'{"setup":{"variant":"tic-tac-toe","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false,"clock":[600,5]}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG00A',2,'join','O',NULL,'O:m-1',1790000001500,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG00A',3,'move','X',3,'X:m-2',1790000003000,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG00A',4,'move','O',0,'O:m-3',1790000004500,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG00A',5,'move','X',6,'X:m-4',1790000006000,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG00A',6,'move','O',8,'O:m-5',1790000007500,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG00A',7,'move','X',1,'X:m-6',1790000009000,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG01A',1,'create','',NULL,':a-1',1790000000001,'{"setup":{"variant":"misere-tic-tac-toe","starting":"O","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG01A',2,'join','O',NULL,'O:m-1',1790000001501,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG01A',3,'move','O',2,'O:m-2',1790000003001,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG01A',4,'move','X',4,'X:m-3',1790000004501,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG01A',5,'move','O',0,'O:m-4',1790000006001,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG01A',6,'move','X',1,'X:m-5',1790000007501,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG01A',7,'move','O',5,'O:m-6',1790000009001,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG02A',1,'create','',NULL,':a-1',1790000000002,'{"setup":{"variant":"4x4","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG02A',2,'join','O',NULL,'O:m-1',1790000001502,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG02A',3,'move','X',11,'X:m-2',1790000003002,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG02A',4,'move','O',3,'O:m-3',1790000004502,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG02A',5,'move','X',1,'X:m-4',1790000006002,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG02A',6,'move','O',7,'O:m-5',1790000007502,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG02A',7,'move','X',10,'X:m-6',1790000009002,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG03A',1,'create','',NULL,':a-1',1790000000003,'{"setup":{"variant":"4x4x3","starting":"O","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false,"clock":[600,5]}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG03A',2,'join','O',NULL,'O:m-1',1790000001503,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG03A',3,'move','O',11,'O:m-2',1790000003003,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG03A',4,'move','X',4,'X:m-3',1790000004503,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG03A',5,'move','O',7,'O:m-4',1790000006003,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG03A',6,'move','X',5,'X:m-5',1790000007503,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG03A',7,'move','O',8,'O:m-6',1790000009003,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG04A',1,'create','',NULL,':a-1',1790000000004,'{"setup":{"variant":"5x5x4","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG04A',2,'join','O',NULL,'O:m-1',1790000001504,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG04A',3,'move','X',7,'X:m-2',1790000003004,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG04A',4,'move','O',6,'O:m-3',1790000004504,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG04A',5,'move','X',13,'X:m-4',1790000006004,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG04A',6,'move','O',12,'O:m-5',1790000007504,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG04A',7,'move','X',9,'X:m-6',1790000009004,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG05A',1,'create','',NULL,':a-1',1790000000005,'{"setup":{"variant":"6x6x5","starting":"O","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG05A',2,'join','O',NULL,'O:m-1',1790000001505,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG05A',3,'move','O',19,'O:m-2',1790000003005,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG05A',4,'move','X',33,'X:m-3',1790000004505,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG05A',5,'move','O',27,'O:m-4',1790000006005,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG05A',6,'move','X',14,'X:m-5',1790000007505,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG05A',7,'move','O',32,'O:m-6',1790000009005,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG06A',1,'create','',NULL,':a-1',1790000000006,'{"setup":{"variant":"gomoku","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false,"clock":[600,5]}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG06A',2,'join','O',NULL,'O:m-1',1790000001506,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG06A',3,'move','X',215,'X:m-2',1790000003006,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG06A',4,'move','O',107,'O:m-3',1790000004506,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG06A',5,'move','X',126,'X:m-4',1790000006006,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG06A',6,'move','O',20,'O:m-5',1790000007506,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG06A',7,'move','X',120,'X:m-6',1790000009006,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG07A',1,'create','',NULL,':a-1',1790000000007,'{"setup":{"variant":"gomoku-standard","starting":"O","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG07A',2,'join','O',NULL,'O:m-1',1790000001507,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG07A',3,'move','O',144,'O:m-2',1790000003007,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG07A',4,'move','X',205,'X:m-3',1790000004507,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG07A',5,'move','O',92,'O:m-4',1790000006007,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG07A',6,'move','X',113,'X:m-5',1790000007507,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG07A',7,'move','O',148,'O:m-6',1790000009007,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG08A',1,'create','',NULL,':a-1',1790000000008,'{"setup":{"variant":"connect-four","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG08A',2,'join','O',NULL,'O:m-1',1790000001508,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG08A',3,'move','X',37,'X:m-2',1790000003008,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG08A',4,'move','O',40,'O:m-3',1790000004508,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG08A',5,'move','X',39,'X:m-4',1790000006008,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG08A',6,'move','O',35,'O:m-5',1790000007508,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG08A',7,'move','X',33,'X:m-6',1790000009008,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG09A',1,'create','',NULL,':a-1',1790000000009,'{"setup":{"variant":"connect-four-5x4","starting":"O","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false,"clock":[600,5]}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG09A',2,'join','O',NULL,'O:m-1',1790000001509,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG09A',3,'move','O',15,'O:m-2',1790000003009,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG09A',4,'move','X',18,'X:m-3',1790000004509,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG09A',5,'move','O',10,'O:m-4',1790000006009,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG09A',6,'move','X',13,'X:m-5',1790000007509,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG09A',7,'move','O',8,'O:m-6',1790000009009,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG10A',1,'create','',NULL,':a-1',1790000000010,'{"setup":{"variant":"misere-connect-four","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG10A',2,'join','O',NULL,'O:m-1',1790000001510,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG10A',3,'move','X',39,'X:m-2',1790000003010,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG10A',4,'move','O',35,'O:m-3',1790000004510,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG10A',5,'move','X',38,'X:m-4',1790000006010,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG10A',6,'move','O',41,'O:m-5',1790000007510,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG10A',7,'move','X',37,'X:m-6',1790000009010,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG11A',1,'create','',NULL,':a-1',1790000000011,'{"setup":{"variant":"ultimate","starting":"O","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG11A',2,'join','O',NULL,'O:m-1',1790000001511,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG11A',3,'move','O',2,'O:m-2',1790000003011,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG11A',4,'move','X',16,'X:m-3',1790000004511,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG11A',5,'move','O',50,'O:m-4',1790000006011,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG11A',6,'move','X',79,'X:m-5',1790000007511,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG11A',7,'move','O',59,'O:m-6',1790000009011,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',1,'create','',NULL,':a-1',1790000000040,'{"setup":{"variant":"tic-tac-toe","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":true}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',2,'join','O',NULL,'O:m-1',1790000001540,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',3,'move','X',4,'X:m-2',1790000003040,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',4,'move','O',0,'O:m-3',1790000004540,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',5,'move','X',8,'X:m-4',1790000006040,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',6,'offer','X',NULL,'X:m-5',1790000007540,'{"text":"takeback"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',7,'accept','O',NULL,'O:m-6',1790000009040,'{"text":"takeback"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',8,'chat','O',NULL,'O:m-7',1790000010540,'{"text":"Good luck"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',9,'move','X',2,'X:m-8',1790000012040,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',10,'move','O',6,'O:m-9',1790000013540,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',11,'move','X',1,'X:m-10',1790000015040,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',12,'move','O',8,'O:m-11',1790000016540,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',13,'move','X',5,'X:m-12',1790000018040,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',14,'move','O',3,'O:m-13',1790000019540,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',15,'offer','X',NULL,'X:m-14',1790000021040,'{"text":"rematch"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG40A',16,'accept','O',NULL,'O:m-15',1790000022540,'{"text":"rematch","follower":"l8qc2Sou23cEqO_8XYExjg"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG42A',1,'create','',NULL,':a-1',1790000000042,'{"setup":{"variant":"ultimate","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":true}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG43A',1,'create','',NULL,':a-1',1790000000043,'{"setup":{"variant":"connect-four","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},{"name":"easy","strategy":"easy"}],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG43A',2,'move','X',38,'X:m-1',1790000001543,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG43A',3,'move','O',31,'O:m-2',1790000003043,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG44A',1,'create','',NULL,':a-1',1790000000044,'{"setup":{"variant":"misere-tic-tac-toe","starting":"X","players":[{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"},null],"open":false}}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG44A',2,'join','O',NULL,'O:m-1',1790000001544,'{"text":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"}');
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG44A',3,'move','X',1,'X:m-2',1790000003044,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG44A',4,'move','O',8,'O:m-3',1790000004544,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG44A',5,'move','X',6,'X:m-4',1790000006044,NULL);
INSERT INTO "events" VALUES('GGGGGGGGGGGGGGGGGGG44A',6,'resign','O',NULL,'O:m-5',1790000007544,NULL);
INSERT INTO "events" VALUES('l8qc2Sou23cEqO_8XYExjg',1,'create','',NULL,NULL,1790000022540,'{"setup":{"variant":"tic-tac-toe","starting":"X","players":[{"name":"Bob","key":"3e527f2fdb1df8238a8c45b625f00564779206c38a60c31e88379a9461b5acfa"},{"name":"Ann","key":"aac313fd36c375956e28493944e0a568e736c2bace09022697fac4adca83bddb"}],"open":false,"previous":"GGGGGGGGGGGGGGGGGGG40A"}}');
INSERT INTO "events" VALUES('l8qc2Sou23cEqO_8XYExjg',2,'move','X',1,'X:m-1',1790000024040,NULL);
INSERT INTO "events" VALUES('l8qc2Sou23cEqO_8XYExjg',3,'move','O',2,'O:m-2',1790000025540,NULL);
CREATE TABLE games (game TEXT NOT NULL PRIMARY KEY, stage TEXT NOT NULL, is_open INTEGER NOT NULL, time INTEGER NOT NULL, deadline INTEGER, variant TEXT NOT NULL, crosses TEXT, naughts TEXT, starting TEXT NOT NULL, clock_seconds INTEGER, clock_increment INTEGER, result TEXT NOT NULL) WITHOUT ROWID, STRICT;
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG00A','playing',0,1790000001500,1790000616000,'tic-tac-toe','Ann','Bob','X',600,5,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG01A','playing',0,1790000001501,NULL,'misere-tic-tac-toe','Ann','Bob','O',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG02A','playing',0,1790000001502,NULL,'4x4','Ann','Bob','X',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG03A','playing',0,1790000001503,1790000616003,'4x4x3','Ann','Bob','O',600,5,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG04A','playing',0,1790000001504,NULL,'5x5x4','Ann','Bob','X',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG05A','playing',0,1790000001505,NULL,'6x6x5','Ann','Bob','O',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG06A','playing',0,1790000001506,1790000616006,'gomoku','Ann','Bob','X',600,5,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG07A','playing',0,1790000001507,NULL,'gomoku-standard','Ann','Bob','O',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG08A','playing',0,1790000001508,NULL,'connect-four','Ann','Bob','X',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG09A','playing',0,1790000001509,1790000616009,'connect-four-5x4','Ann','Bob','O',600,5,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG10A','playing',0,1790000001510,NULL,'misere-connect-four','Ann','Bob','X',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG11A','playing',0,1790000001511,NULL,'ultimate','Ann','Bob','O',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG40A','over',1,1790000019540,NULL,'tic-tac-toe','Ann','Bob','X',NULL,NULL,'O');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG42A','waiting',1,1790000000042,NULL,'ultimate','Ann',NULL,'X',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG43A','playing',0,1790000000043,NULL,'connect-four','Ann','easy','X',NULL,NULL,'');
INSERT INTO "games" VALUES('GGGGGGGGGGGGGGGGGGG44A','over',0,1790000007544,NULL,'misere-tic-tac-toe','Ann','Bob','X',NULL,NULL,'X');
INSERT INTO "games" VALUES('l8qc2Sou23cEqO_8XYExjg','playing',0,1790000022540,NULL,'tic-tac-toe','Bob','Ann','X',NULL,NULL,'');
CREATE TABLE pauses (since INTEGER NOT NULL PRIMARY KEY, until INTEGER NOT NULL) STRICT;
CREATE UNIQUE INDEX event_of_message ON events (game, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX open_games ON games (time) WHERE is_open AND stage = 'waiting';
CREATE INDEX finished_games ON games (time) WHERE is_open AND stage = 'over' AND result <> '';
CREATE INDEX unfinished_games ON games (time) WHERE stage <> 'over';
CREATE INDEX running_clocks ON games (deadline) WHERE deadline IS NOT NULL;
COMMIT;
